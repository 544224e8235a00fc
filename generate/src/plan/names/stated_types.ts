/** The schemas of the types that a configuration or a list of methods names. */

import { type Node, placeOf, type Source } from "../../read/source.ts";
import { responsesOf } from "../results/mod.ts";
import { objectAt, textAt } from "../../read/fields.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import type { Operation } from "../../read/operations.ts";
import type { PlacedResource, ShapedMethod } from "./resources.ts";
import type { StatedNames } from "../types/mod.ts";
import type { SdkShape } from "../../sdk/shape.ts";
import { pascalCase } from "../../names/type_names.ts";
import { wordsOf } from "../../names/words.ts";

/** The names that a shape gives to schemas. */
export interface StatedTypes {
  /** The schemas by their places, with their names. The first name of a place counts. */
  readonly byPlace: StatedNames;
  /** The names of each resource, and the places of their schemas. */
  readonly ofResource: ReadonlyMap<string, readonly (readonly [name: string, place: string])[]>;
  /** The names whose schema was not found. */
  readonly missing: readonly string[];
}

/**
 * Finds the schemas of the types that a shape names: by their pointers, or else by the results of methods
 * and the names of components.
 */
export function statedTypes(
  source: Source,
  { unwrap }: Pick<SdkShape, "unwrap">,
  resources: readonly PlacedResource[],
  methods: readonly ShapedMethod[],
): StatedTypes {
  const byResult = new Map<string, Node>();
  for (const { operation, shape: { resultType } } of methods) {
    if (resultType === undefined) continue;
    const schema = resultSchema(source, operation, unwrap);
    const known = byResult.get(resultType);
    // A schema with a name is surer than one of a single response.
    const isSurer = known === undefined || !isReference(known) && isReference(schema);
    if (schema !== undefined && isSurer) byResult.set(resultType, schema);
  }
  const components = source.child(source.root, "components");
  const schemas = components && source.child(components, "schemas");
  const byName = new Map<string, Node>();
  for (const [key, node] of schemas === undefined ? [] : source.children(schemas)) {
    const name = pascalCase(key).toLowerCase();
    if (!byName.has(name)) byName.set(name, node);
  }
  const byWords = componentsByWords(byName.values(), resources);
  const byPlace = new Map<string, { node: Node; name: string; longName: string }>();
  const ofResource = new Map<string, (readonly [name: string, place: string])[]>();
  const missing: string[] = [];
  for (const { shape, field, path } of resources) {
    const own: (readonly [string, string])[] = [];
    ofResource.set(field, own);
    for (const [name, pointer] of shape.models) {
      const stated = pointer === undefined
        ? byName.get(name.toLowerCase()) ?? byResult.get(name) ?? byWords.get(name)
        : source.target(source.root, pointer);
      const node = stated && source.resolve(stated);
      if (node === undefined) {
        missing.push(name);
        continue;
      }
      const place = placeOf(node);
      const longName = [...path.filter((each) => each !== "$shared"), name].map(pascalCase).join(
        "",
      );
      if (!byPlace.has(place)) byPlace.set(place, { node, name, longName });
      own.push([name, place]);
    }
  }
  return { byPlace, ofResource, missing };
}

/** Words by which the names of a configuration differ from those of its schemas. */
const sideWords: ReadonlySet<string> = new Set("object param params request resource".split(" "));

/**
 * Finds the components whose names have the words of a type, in any order and without side words: a
 * `ChatCompletionRequestUserMessage` is the `ChatCompletionUserMessageParam`. Both must be the only ones
 * with these words.
 */
function componentsByWords(
  components: Iterable<Node>,
  resources: readonly PlacedResource[],
): ReadonlyMap<string, Node> {
  const wordsKey = (name: string) =>
    wordsOf(name).map((word) => word.toLowerCase()).filter((word) => !sideWords.has(word)).sort()
      .join(" ");
  const nodes = Map.groupBy(components, ({ pointer }) => wordsKey(pointer.split("/").at(-1)!));
  const names = resources.flatMap(({ shape }) => [...shape.models.keys()]);
  const found = new Map<string, Node>();
  for (const [key, same] of Map.groupBy(new Set(names), wordsKey)) {
    const [node, ...others] = nodes.get(key) ?? [];
    if (node !== undefined && others.length === 0 && same.length === 1) found.set(same[0]!, node);
  }
  return found;
}

/** Returns the schema of the JSON of a success, or of the field that is taken out of it. */
function resultSchema(
  source: Source,
  { node }: Operation,
  unwrap: readonly string[],
): Node | undefined {
  for (const [status, response] of responsesOf(source, node)) {
    if (!/^2/.test(status)) continue;
    const schema = preferred(mediaOf(source, response), ["json"])?.schema;
    if (schema === undefined) continue;
    const properties = objectAt(source, source.resolve(schema), "properties");
    const fields = unwrap.flatMap((field) => properties && source.child(properties, field) || []);
    return fields[0] ?? schema;
  }
  return undefined;
}

function isReference(schema: Node | undefined): boolean {
  return textAt(schema, "$ref") !== undefined;
}
