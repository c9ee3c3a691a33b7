package pdf

// country returns the last line of an address from Norway, none for one in Norway: the name in capital
// letters and English, as the Universal Postal Union recommends, or else the code.
func country(code string) string {
	switch code {
	case "", "NO":
		return ""
	}
	if name, ok := countries[code]; ok {
		return name
	}
	return code
}

// countries are those that Norwegian creditors mostly write to.
var countries = map[string]string{
	"AT": "AUSTRIA", "AU": "AUSTRALIA", "AX": "ÅLAND", "BE": "BELGIUM", "BG": "BULGARIA", "BR": "BRAZIL", "CA": "CANADA",
	"CH": "SWITZERLAND", "CN": "CHINA", "CY": "CYPRUS", "CZ": "CZECH REPUBLIC", "DE": "GERMANY", "DK": "DENMARK",
	"EE": "ESTONIA", "ES": "SPAIN", "FI": "FINLAND", "FO": "FAROE ISLANDS", "FR": "FRANCE", "GB": "UNITED KINGDOM",
	"GL": "GREENLAND", "GR": "GREECE", "HR": "CROATIA", "HU": "HUNGARY", "IE": "IRELAND", "IN": "INDIA", "IS": "ICELAND",
	"IT": "ITALY", "JP": "JAPAN", "LI": "LIECHTENSTEIN", "LT": "LITHUANIA", "LU": "LUXEMBOURG", "LV": "LATVIA",
	"MT": "MALTA", "NL": "NETHERLANDS", "NZ": "NEW ZEALAND", "PL": "POLAND", "PT": "PORTUGAL", "RO": "ROMANIA",
	"RS": "SERBIA", "SE": "SWEDEN", "SG": "SINGAPORE", "SI": "SLOVENIA", "SK": "SLOVAKIA", "TH": "THAILAND",
	"TR": "TURKEY", "UA": "UKRAINE", "US": "UNITED STATES OF AMERICA",
}
