/** Lists of methods of SDKs, as `api.md` has them. */
import { generatePlanned } from "../../src/generate.ts";
import type { GenerateOptions } from "../../mod.ts";

/** Returns a list of methods with the names that an SDK without resources has. */
export async function apiMdOf(
  document: string,
  options: GenerateOptions,
): Promise<string> {
  const { plan } = await generatePlanned(document, options);
  return plan.groups.flatMap(({ path: [field], methods }) =>
    methods.flatMap(({ name, verb, path, pathParameters, fixedQuery, pages }) => {
      const parts = path.map((part) => {
        if (typeof part === "string") return part;
        return `{${pathParameters.find((each) => each.name === part.argument)!.wireName}}`;
      });
      const query = fixedQuery.map((pair) => pair.join("=")).join("&");
      const place = `${parts.join("")}${query === "" ? "" : `?${query}`}`;
      // A list of methods cannot have all texts of a document.
      if (/["\s\p{C}]/u.test(place)) return [];
      const result = pages === undefined ? "Result" : "ItemsPage";
      return `- <code title="${verb.toLowerCase()} ${place}">client.${field}.<a href="x">${name}</a>() ` +
        `-> ${result}</code>\n`;
    })
  ).join("");
}
