/** Remembers the templates of the paths that the `path` tag builds. */
import type { Path } from "../http/url.ts";
import { watchPaths } from "../content/path.ts";

/** Takes the place of a value in a template. */
const PLACEHOLDER = "{}";

/** The number of paths whose templates are kept. */
const KEPT_TEMPLATES = 1000;

/** The longest path whose template is kept, in characters. */
const LONGEST_PATH = 2000;

/** The templates of the latest paths, the oldest first. */
const templates = new Map<string, string>();

/** Keeps the templates of the paths that are built from now on. */
export function keepTemplates(): void {
  watchPaths({
    onPath: (path, texts) => keep(path, texts.join(PLACEHOLDER)),
    onJoin(joined, prefix, path, join) {
      const [start, end] = [templateOf(prefix), templateOf(path)];
      if (start === undefined && end === undefined) return;
      keep(joined, join(start ?? prefix, end ?? String(path)));
    },
  });
}

/**
 * Returns the template of a path, such as `/users/{}/files`; undefined if it is not known. A number is
 * a value.
 *
 * @param path The path of a call
 */
export function templateOf(path: Path): string | undefined {
  if (typeof path === "number") return PLACEHOLDER;
  const template = templates.get(path);
  // A path that is used often stays.
  if (template !== undefined) keep(path, template);
  return template;
}

function keep(path: string, template: string): void {
  if (path.length > LONGEST_PATH) return;
  templates.delete(path);
  templates.set(path, template);
  if (templates.size <= KEPT_TEMPLATES) return;
  const [oldest] = templates.keys();
  templates.delete(oldest!);
}
