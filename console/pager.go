package console

// perPage is how many rows a list shows.
const perPage = 50

// pager leads to the neighbours of a page of a list. Each path is empty where there is none.
type pager struct{ Previous, Next string }
