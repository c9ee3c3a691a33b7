package validate

// BySchema validates XML by the XML Schema alone.
var BySchema = bySchema
