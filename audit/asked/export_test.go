package asked

// Do and its step, of so many invoices at a time.
var (
	DoSome = do
	Step   = step
)
