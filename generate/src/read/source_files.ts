/** The files of a document: their texts, values, references and places. */
import { DocumentError } from "../base/errors.ts";
import { findInJson } from "./json_text.ts";
import { MAX_CHARACTERS } from "./limits.ts";
import type { Findings } from "./prepare.ts";
import { parseYaml, type Place, YamlFault, type YamlProblem } from "./yaml_text.ts";

/** A place in a file, or in another one from which changes took the value. */
export interface FilePlace extends Place {
  /** The name of the other file. */
  readonly file?: string | undefined;
}

/** A file that was parsed. */
export interface ParsedFile {
  /** Its name in messages: as it was given, or relative to the document. */
  readonly name: string;
  /** Its path relative to the folder of the document, or its URL. References are resolved with it. */
  readonly path: string;
  value: unknown;
  readonly isShared: boolean;
  readonly problems: readonly YamlProblem[];
  /** Returns the places of pointers. One that does not exist has the place of its ancestor. */
  places(pointers: readonly string[]): Map<string, FilePlace>;
}

/** A file with what references need. */
export interface SourceFile extends ParsedFile, Findings {}

/**
 * Parses JSON or YAML.
 *
 * @throws {DocumentError} If it is neither, or larger than the limit
 */
export function parseFile(name: string, path: string, text: string): ParsedFile {
  if (text.length > MAX_CHARACTERS) {
    throw new DocumentError(name, `has more than ${MAX_CHARACTERS} characters`);
  }
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  const json = parsedJson(content);
  if (json !== undefined) {
    const places = (pointers: readonly string[]) => placesInJson(content, pointers);
    return { name, path, value: json.value, isShared: false, problems: [], places };
  }
  try {
    const yaml = parseYaml(content);
    return {
      ...{ name, path, value: yaml.value, isShared: yaml.isShared, problems: yaml.problems },
      places: (pointers) => new Map(pointers.map((each) => [each, yaml.place(each)])),
    };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const format = /^\s*[[{]/.test(content) ? "JSON" : "JSON or YAML";
    const message = error.place === undefined
      ? error.message
      : `is not ${format}: ${error.message.replace(/\.$/, "")}`;
    throw new DocumentError(name, message, error.place);
  }
}

/** Returns the value of a JSON text; undefined if the text is not JSON, but perhaps YAML. */
function parsedJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function placesInJson(text: string, pointers: readonly string[]): Map<string, Place> {
  const offsets = findInJson(text, pointers);
  const found = pointers.map((pointer, index) => [pointer, offsets[index]!] as const);
  const places = new Map<string, Place>();
  let line = 1;
  let start = 0;
  let end = text.indexOf("\n");
  for (const [pointer, offset] of found.sort(([, left], [, right]) => left - right)) {
    for (; end !== -1 && end < offset; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    places.set(pointer, { line, column: offset - start + 1 });
  }
  return places;
}
