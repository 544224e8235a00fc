/** The folders of the site's build, relative to the root. */

/** The folder with the site. */
export const SITE_OUTPUT = ".build/site";

/** The folder whose files the site serves as they are. */
export const PUBLIC_FOLDER = ".build/public";

/** The folder of the reference. */
export const REFERENCE_FOLDER: string = `${PUBLIC_FOLDER}/api`;

/** The list of all names by category in Markdown, which a page of the site includes. */
export const OVERVIEW_FILE = ".build/reference.md";
