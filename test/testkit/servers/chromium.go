package servers

import (
	"fmt"
	"os"
	"os/exec"
)

// ChromiumVariable names the environment variable that tells tests which Chromium to start: a path. It may be any browser
// that is made of Chromium.
const ChromiumVariable = "PURR_TEST_CHROMIUM"

// Chromium returns the path of the program: the one that the environment names, else the one that is installed. Chromium's
// headless shell comes first: the same engine without the windows, which shows a page for a quarter of the processor time.
func Chromium() (string, error) {
	if path := os.Getenv(ChromiumVariable); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", ChromiumVariable, err)
		}
		return found, nil
	}
	return find("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser", "/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
}
