package main

import "github.com/chromedp/cdproto/accessibility"

// aria gives the ARIA name of a role that Chromium names in its own way, or that it
// keeps apart where ARIA has one role. What is missing here is the same in both.
var aria = map[string]string{
	"image":                     "img",     // ARIA 1.3's synonym
	"Iframe":                    "iframe",  // HTML-AAM gives it no role
	"IframePresentational":      "iframe",  //
	"DisclosureTriangle":        "button",  // summary: HTML-AAM gives it no role
	"DisclosureTriangleGrouped": "button",  //
	"Details":                   "group",   // details
	"Date":                      "textbox", // input type=date and the like: none in HTML-AAM
	"DateTime":                  "textbox", //
	"InputTime":                 "textbox", //
	"ColorWell":                 "button",  // input type=color: none in HTML-AAM
	"DescriptionList":           "generic", // dl: none in HTML-AAM
	"DescriptionListTerm":       "term",    //
	"DescriptionListDetail":     "definition",
	"Legend":                    "legend",
	"LabelText":                 "label",
	"LayoutTable":               "table", // a table that Chromium takes for layout; HTML-AAM knows no such thing
	"LayoutTableRow":            "row",
	"LayoutTableCell":           "cell",
	"Abbr":                      "abbr",
	"SectionHeader":             "generic", // header and footer in sectioning content
	"SectionFooter":             "generic",
	"HeaderAsNonLandmark":       "generic",
	"FooterAsNonLandmark":       "generic",
}

// roleOf is the ARIA role of a node of Chromium's.
func roleOf(n *accessibility.Node) string {
	role := plain(n.Role)
	if to, ok := aria[role]; ok {
		role = to
	}
	if role == "form" && plain(n.Name) == "" {
		// Only a form with a name has a role (HTML-AAM, form).
		return "generic"
	}
	return role
}
