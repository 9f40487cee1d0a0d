package main

// aria gives the ARIA name of a role that Chromium names in its own way, or that
// it keeps apart where ARIA has one role. What is missing here is the same in
// both.
//
//	Chromium              what it is                       here
var aria = map[string]string{
	"image":                     "img",      // ARIA 1.3's synonym
	"RootWebArea":               "document", // the document of a frame
	"Iframe":                    "iframe",   // HTML-AAM gives it no role
	"IframePresentational":      "iframe",
	"DisclosureTriangle":        "button", // summary: HTML-AAM gives it no role
	"DisclosureTriangleGrouped": "button",
	"Details":                   "group",   // details: HTML-AAM
	"Date":                      "textbox", // input type=date and the like: none in HTML-AAM
	"DateTime":                  "textbox",
	"InputTime":                 "textbox",
	"ColorWell":                 "textbox", // input type=color: none in HTML-AAM
	"DescriptionList":           "list",
	"DescriptionListTerm":       "term",
	"DescriptionListDetail":     "definition",
	"Legend":                    "legend",
	"LabelText":                 "label",
	"LayoutTable":               "table",
	"Abbr":                      "abbr",
	"Canvas":                    "canvas",
	"HeaderAsNonLandmark":       "generic", // header in an article: generic by HTML-AAM
	"FooterAsNonLandmark":       "generic",
	"SectionHeader":             "generic",
	"SectionFooter":             "generic",
}
