/** The site's search: each exported name is a result of its own, which comes first if it is typed. */

/**
 * Returns the text that the search reads of the overview of the reference: a section for each name,
 * in the form of the headings that VitePress splits a page at.
 *
 * @param overview The overview, as `referenceOverview` writes it
 */
export function searchedOverview(overview: string): string {
  return [...overview.matchAll(/<a id="(name-(\w+))"/g)].map(([, id, name]) =>
    `<h2>${name}<a href="#${id}"></a></h2><p>An export.</p>\n`
  ).join("");
}

/**
 * Returns the factor of a result: the exported name that was typed comes before all other sections.
 * The site runs the text of this function, without this module.
 *
 * @param id The page and the id of the section
 * @param term The term, in lower case
 * @param stored The fields of the section
 */
export function boostOfName(
  id: string,
  term: string,
  stored?: Readonly<Record<string, unknown>>,
): number {
  const isTyped = String(stored?.["title"]).toLowerCase() === term;
  return isTyped && id.includes("#name-") ? 100 : 1;
}
