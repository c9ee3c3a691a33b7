package e2e_test

func removeBinary() error { return nil }
