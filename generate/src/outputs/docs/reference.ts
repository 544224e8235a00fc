/** The plan of a reference: its pages, and the places of methods and types in them. */

import { nameOf } from "../../algebra/groups.ts";
import { addReferences } from "../../algebra/references.ts";
import type { Declaration, Method, MethodGroup, SdkModel, Type } from "../../model/mod.ts";
import { Anchors } from "../../print/markdown.ts";

/** The most methods of a reference in one file. */
const MAX_METHODS = 60;

/** The most types of a page. Further ones are on pages of their first letter, and numbered ones after it. */
const MAX_TYPES = 100;

/** The page with the list of all others, or with everything. */
export const INDEX = "reference.md";

/** A reference. */
export interface Reference {
  readonly model: SdkModel;
  /** The pages with methods and types, in their order. A short reference has one. */
  readonly pages: readonly Page[];
  /** The places of methods by their names on the client, and of types by their names. */
  readonly methods: ReadonlyMap<string, Place>;
  readonly types: ReadonlyMap<string, Place>;
  /** The places of groups by their names on the client; that of the client is empty. */
  readonly groups: ReadonlyMap<string, Place>;
}

/** A page with groups of methods, and with types. */
export interface Page {
  /** The path in the folder of the reference. */
  readonly path: string;
  readonly title: string;
  readonly groups: readonly MethodGroup[];
  readonly types: readonly Declaration[];
}

/** The place of a heading. */
export interface Place {
  readonly path: string;
  readonly anchor: string;
}

/** Plans a reference: one page, or one for each group and one for types of several groups. */
export function planReference(model: SdkModel): Reference {
  const groups = model.groups.filter(({ methods }) => methods.length > 0);
  const methods = groups.reduce((sum, each) => sum + each.methods.length, 0);
  const types = shownTypes(model);
  const title = `Reference of ${model.client.className}`;
  const pages = methods <= MAX_METHODS
    ? [{ path: INDEX, title, groups, types }]
    : pagesOf(model, groups, types);
  const places = {
    methods: new Map<string, Place>(),
    types: new Map<string, Place>(),
    groups: new Map<string, Place>(),
  };
  for (const page of pages) placeHeadings(page, places);
  return { model, pages, ...places };
}

/** Returns the text about a group; empty if the document has none. */
export function groupText({ comment: { text } }: MethodGroup): string {
  return text.startsWith("The methods of `client") ? "" : text;
}

/** Returns the heading of a group: the expression with its methods. */
export function groupHeading({ path }: MethodGroup): string {
  return ["client", ...path].join(".");
}

/** Returns the heading of a method. */
export function methodHeading(group: MethodGroup, method: Method): string {
  return `client.${nameOf(group, method)}`;
}

/** Sets the places of the headings of a page, in the order in which they are printed. */
function placeHeadings(
  page: Page,
  places: {
    readonly methods: Map<string, Place>;
    readonly types: Map<string, Place>;
    readonly groups: Map<string, Place>;
  },
): void {
  const { path, title, groups, types } = page;
  const anchors = new Anchors();
  const first = anchors.add(title);
  for (const group of groups) {
    const anchor = isOfGroup(page) ? first : anchors.add(groupHeading(group));
    places.groups.set(group.path.join("."), { path, anchor });
    for (const method of group.methods) {
      const anchor = anchors.add(methodHeading(group, method));
      places.methods.set(nameOf(group, method), { path, anchor });
    }
  }
  if (types.length === 0) return;
  if (groups.length > 0) anchors.add("Types");
  for (const { name } of types) places.types.set(name, { path, anchor: anchors.add(name) });
}

/** Returns the types that have a heading: all but those of objects of parameters, which methods list. */
function shownTypes({ models, groups }: SdkModel): Declaration[] {
  const params = new Set(
    groups.flatMap(({ methods }) => methods.flatMap((each) => each.params?.type ?? [])),
  );
  const all = [...models, ...groups.flatMap(({ types }) => types)];
  return all.filter(({ name }) => !params.has(name))
    .toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Returns a page for each group with the types that it alone has, and pages with all other types. */
function pagesOf(
  model: SdkModel,
  groups: readonly MethodGroup[],
  types: readonly Declaration[],
): Page[] {
  const users = usersOf(model, groups, types);
  const own = (group: MethodGroup) =>
    types.filter(({ name }) => {
      const found = users.get(name);
      return found?.size === 1 && found.has(group);
    });
  const ofGroups = groups.map((group) => ({
    path: `reference/${
      group.place === "client" ? "the_client" : group.file.replaceAll("/", "_")
    }.md`,
    title: groupHeading(group),
    groups: [group],
    types: own(group),
  }));
  const shared = types.filter(({ name }) => users.get(name)?.size !== 1);
  return [...ofGroups, ...typePages(shared)];
}

function typePages(types: readonly Declaration[]): Page[] {
  if (types.length === 0) return [];
  if (types.length <= MAX_TYPES) {
    return [{ path: "reference/the_types.md", title: "Types", groups: [], types }];
  }
  const letters = Map.groupBy(types, ({ name }) => name[0]!.toLowerCase());
  return [...letters].flatMap(([letter, ofLetter]) =>
    Array.from({ length: Math.ceil(ofLetter.length / MAX_TYPES) }, (_, index) => ({
      path: `reference/the_types_${letter}${index === 0 ? "" : `_${index + 1}`}.md`,
      title: `Types: ${letter.toUpperCase()}${index === 0 ? "" : `, part ${index + 1}`}`,
      groups: [],
      types: ofLetter.slice(index * MAX_TYPES, (index + 1) * MAX_TYPES),
    }))
  );
}

/** Reports if the title of a page is the heading of its only group. */
export function isOfGroup({ path, groups }: Page): boolean {
  return path !== INDEX && groups.length === 1;
}

/** Returns the groups whose methods lead to a type, also through other types. */
function usersOf(
  model: SdkModel,
  groups: readonly MethodGroup[],
  types: readonly Declaration[],
): Map<string, Set<MethodGroup>> {
  const byName = new Map(types.map((each) => [each.name, each]));
  const errors = new Map(model.errors.map((each) => [each.className, each.data]));
  const users = new Map<string, Set<MethodGroup>>();
  for (const group of groups) {
    const add = (name: string): void => {
      const known = users.get(name) ?? new Set();
      if (known.has(group)) return;
      users.set(name, known.add(group));
      const found = byName.get(name);
      if (found !== undefined) typesIn(found).forEach((each) => addReferences(each, add));
    };
    for (const method of group.methods) {
      typesOf(method).forEach((type) => addReferences(type, add));
      for (const { className } of method.errors) {
        const data = errors.get(className);
        if (data !== undefined) addReferences(data, add);
      }
    }
    group.types.forEach((each) => typesIn(each).forEach((type) => addReferences(type, add)));
  }
  return users;
}

function typesIn({ type, model }: Declaration): readonly Type[] {
  return model === undefined ? [type] : model.fields.map((each) => each.type);
}

/** Returns the types that a method has: of its arguments, results and streams. */
function typesOf({ pathParameters, parameters, body, result, pages, stream }: Method): Type[] {
  return [
    ...[...pathParameters, ...parameters].map(({ type }) => type),
    ...body === undefined ? [] : [body.type],
    result.type,
    ...pages === undefined ? [] : [pages.item],
    ...stream === undefined ? [] : [stream.item, ...stream.events?.map(({ data }) => data) ?? []],
  ];
}
