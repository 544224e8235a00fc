/** Reads the list of the cases in the W3C's XML conformance test suites. */
import { posix } from "node:path";
import { SaxesParser } from "saxes";

/** A document of the suite, and the attributes of its entry in the list. */
export interface ConformanceCase {
  readonly id: string;
  /**
   * The kind of document. A processor that does not validate accepts `valid` and `invalid`, rejects
   * `not-wf`, and may do either with `error`.
   */
  readonly type: "valid" | "invalid" | "not-wf" | "error";
  /** The path of the document, relative to the suite's folder. */
  readonly path: string;
  /** The path of its canonical form, relative to the suite's folder. Undefined if it has none. */
  readonly outputPath: string | undefined;
  /** True if a processor must read external entities to notice the mistake or get the output. */
  readonly needsExternals: boolean;
  /** True if the case applies to the fifth edition of XML 1.0. Earlier editions allow fewer names. */
  readonly isFifthEdition: boolean;
  /** True if the case applies to processors that know namespaces. */
  readonly allowsNamespaces: boolean;
}

/** Parses the list. All of it must be in one document, without external entities. */
export function readCases(list: string): ConformanceCase[] {
  const cases: ConformanceCase[] = [];
  const folders: string[] = [""];
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const folder = posix.join(folders.at(-1)!, attributes["xml:base"] ?? "");
    folders.push(folder);
    if (name === "TEST") cases.push(caseOf(attributes, folder));
  });
  parser.on("closetag", () => void folders.pop());
  parser.write(list).close();
  return cases;
}

function caseOf(attributes: Readonly<Record<string, string>>, folder: string): ConformanceCase {
  const required = (name: string): string => {
    const value = attributes[name];
    if (value === undefined) {
      throw new Error(`the case ${attributes["ID"]} has no attribute ${name}`);
    }
    return value;
  };
  const type = required("TYPE");
  if (!isType(type)) {
    throw new Error(`the case ${required("ID")} has the unknown type ${type}`);
  }
  const output = attributes["OUTPUT"];
  return {
    id: required("ID"),
    type,
    path: posix.join(folder, required("URI")),
    outputPath: output === undefined ? undefined : posix.join(folder, output),
    needsExternals: (attributes["ENTITIES"] ?? "none") !== "none",
    isFifthEdition: attributes["EDITION"]?.split(" ").includes("5") ?? true,
    allowsNamespaces: attributes["NAMESPACE"] !== "no",
  };
}

function isType(type: string): type is ConformanceCase["type"] {
  return type === "valid" || type === "invalid" || type === "not-wf" || type === "error";
}
