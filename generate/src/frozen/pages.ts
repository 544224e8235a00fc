/** The page classes of a frozen SDK: the forms of their rules, and their fields. */

import type { PageField, PagingRule } from "../model/mod.ts";
import type { FrozenPage, Handwritten } from "./frozen_sdk.ts";
import type { Sources } from "./sources.ts";
import {
  bare,
  declarationOf,
  isNode,
  keyOf,
  lineOf,
  membersOf,
  methodIn,
  nameOf,
  nodeAt,
  nodesAt,
  nodesIn,
  numberOf,
  type Parse,
  type ParsedSource,
  statementsOf,
  type SyntaxNode,
  textOf,
} from "./syntax.ts";
import { type Parts, type Template, template } from "./template.ts";

/** A form of the function that returns the request of the next page. */
interface PageForm {
  readonly template: Template;
  /** Returns the rule; undefined if there is one page only. */
  readonly rule: (parts: Parts, page: PageSource) => PagingRule | undefined;
}

/** The parts of a page class that its rule is made of. */
interface PageSource {
  /** Returns the place of an expression in the body, or the header that a field comes from. */
  readonly fieldOf: (node: SyntaxNode | undefined) => PageField | undefined;
  /** The field that says if there is another page. */
  readonly hasMore: string | undefined;
}

/** Thrown in place of a rule if a part of it is not known. */
class UnknownPart extends Error {}

/** The ways to send the parameters of the next page. */
const SENT = [
  [
    "query",
    (pair: string) =>
      `return { ...this.options, query: { ...maybeObj(this.options.query), ${pair} } };`,
  ],
  [
    "body",
    (pair: string) =>
      `return { ...this.options, body: { ...maybeObj(this.options.body), ${pair} } };`,
  ],
  ["query", (pair: string) => `return { params: { ${pair} } };`],
] as const;

/** Returns the forms of the function, with the place of the parameters. */
function formsOf(parse: Parse): readonly (PageForm & { readonly place: "query" | "body" })[] {
  const forms: (PageForm & { readonly place: "query" | "body" })[] = [
    { template: template(parse, "return null;"), rule: () => undefined, place: "query" },
  ];
  const add = (
    place: "query" | "body",
    code: string,
    rule: PageForm["rule"],
  ): void => {
    forms.push({ template: template(parse, code), rule, place });
  };
  const known = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new UnknownPart();
    return value;
  };
  const keyIn = (parts: Parts, name: string): string => {
    const node = parts.get(name);
    return known(nameOf(node) ?? textOf(node));
  };
  const cursor: PageForm["rule"] = (parts, { fieldOf, hasMore }) => ({
    ...{
      kind: "cursor",
      param: keyIn(parts, "$param"),
      field: known(fieldOf(parts.get("$field"))),
    },
    ...hasMore === undefined ? {} : { hasMore },
  });
  const lastItem: PageForm["rule"] = (parts, { hasMore }) => ({
    ...{ kind: "cursor", param: keyIn(parts, "$param"), field: { lastItem: keyIn(parts, "$id") } },
    ...hasMore === undefined ? {} : { hasMore },
  });
  for (const [place, sent] of SENT) {
    const next = sent("$param: $cursor");
    const none = "if (!$cursor) { return null; }";
    add(place, `const $cursor = $field; ${none} ${next}`, cursor);
    // The second form reads backwards, too, if the caller asks for that.
    const reverse = "if ($isReverse) { const $back = $backField; if (!$back) { return null; } " +
      `${sent("$backParam: $back")} }`;
    add(place, `${reverse} const $cursor = $field; ${none} ${next}`, cursor);
    const data = "const $data = this.getPaginatedItems();";
    const last = "$data[$data.length - 1].$id";
    for (const value of [`const $cursor = ${last};`, `const $cursor = ${last} ?? $none;`]) {
      add(place, `${data} ${value} ${none} ${next}`, lastItem);
    }
    add(
      place,
      `${data} if (!$data.length) { return null; } const $cursor = ${last}; ${none} ${next}`,
      lastItem,
    );
    add(
      place,
      `${data} const $isForwards = $test; if ($isForwards) { const $cursor = ${last}; ${none} ${next} } ` +
        `const $first = $data[0].$id; if (!$first) { return null; } ${sent("$backParam: $first")}`,
      lastItem,
    );
    const count = "const $offset = $start ?? 0; const $length = this.getPaginatedItems().length; " +
      "const $count = $offset + $length;";
    const query = "const $query = this.options.query;";
    const counted = sent("$param: $count");
    const offset: PageForm["rule"] = (parts) => ({ kind: "offset", param: keyIn(parts, "$param") });
    const total: PageForm["rule"] = (parts, { fieldOf }) => ({
      ...{ kind: "offset", param: keyIn(parts, "$param") },
      total: known(fieldOf(parts.get("$total"))),
    });
    for (const start of ["", query]) {
      add(place, `${start} ${count} ${counted}`, offset);
      add(
        place,
        `const $offset = $start ?? 0; ${start} if (!$offset) { return null; } const $length = ` +
          `this.getPaginatedItems().length; const $count = $offset + $length; ${counted}`,
        offset,
      );
      add(
        place,
        `${start} ${count} const $all = $total; if (!$all) { return null; } ` +
          `if ($count < $all) { ${counted} } return null;`,
        total,
      );
      add(
        place,
        `${start} ${count} const $all = $total; if ($all !== undefined && $count >= $all) ` +
          `{ return null; } ${counted}`,
        total,
      );
      const page = "const $page = $current ?? $first;";
      const turned = sent("$param: $page + 1");
      const number = (parts: Parts): Extract<PagingRule, { kind: "pageNumber" }> => ({
        ...{ kind: "pageNumber", param: keyIn(parts, "$param") },
        ...numberOf(parts.get("$first")) === 0 ? { first: 0 } : {},
      });
      const pages: PageForm["rule"] = (parts, { fieldOf }) => ({
        ...number(parts),
        pages: known(fieldOf(parts.get("$pages"))),
      });
      add(place, `${start} ${page} ${turned}`, number);
      for (
        const test of ["$page >= $pages", "$pages && $page >= $pages", "$page >= ($pages ?? 1)"]
      ) {
        add(place, `${start} ${page} if (${test}) { return null; } ${turned}`, pages);
      }
    }
  }
  for (
    const code of [
      "const $url = $field; if (!$url) { return null; } return { ...this.options, path: $url };",
      "const $url = $field; if (!$url) { return null; } return { url: new URL($url) };",
    ]
  ) {
    add("query", code, (parts, { fieldOf }) => ({
      kind: "nextUrl",
      field: known(fieldOf(parts.get("$field"))),
    }));
  }
  return forms;
}

/** The files with the classes of pages. */
const FILES = ["src/core/pagination.ts", "src/pagination.ts"];

/** Reads the page classes. */
export function readPages(
  sources: Sources,
  parse: Parse,
  handwritten: Handwritten[],
): FrozenPage[] {
  const pages: FrozenPage[] = [];
  // `src/pagination.ts` of the new layout only exports again.
  const source = FILES.map((file) => sources.get(file)).find((each) =>
    each?.body.some((statement) => declarationOf(statement).type === "ClassDeclaration")
  );
  if (source === undefined) return pages;
  const forms = formsOf(parse);
  for (const statement of source.body) {
    const declaration = declarationOf(statement);
    const className = nameOf(nodeAt(declaration, "id"));
    const method = ["nextPageRequestOptions", "nextPageInfo"].map((name) =>
      methodIn(declaration, name)
    ).find((each) => each !== undefined && statementsOf(each).length > 0);
    if (className === undefined || method === undefined) continue;
    if (declaration["abstract"] === true) continue;
    const own = pageOf(declaration);
    const found = ruleOf(forms, statementsOf(method), own);
    if (found === undefined) {
      handwritten.push({
        ...{ file: source.file, line: lineOf(source, method.start) },
        what: `${className}.${keyOf(method)}`,
        reason: "the rule of the next page has no form of the generator",
      });
    }
    pages.push({
      ...{ className, rule: found?.rule, isRead: found !== undefined },
      ...{ items: own.items, place: found?.place ?? "query" },
      parameters: parametersOf(source, className),
      fields: [...own.fields.values()].flatMap((each) =>
        typeof each === "string" && each !== "" ? [each] : []
      ),
    });
  }
  return pages;
}

/** A page class: the places of its fields. */
interface ReadPage extends PageSource {
  readonly fields: ReadonlyMap<string, PageField>;
  readonly items: string;
}

function ruleOf(
  forms: ReturnType<typeof formsOf>,
  statements: readonly SyntaxNode[],
  page: ReadPage,
): { readonly rule: PagingRule | undefined; readonly place: "query" | "body" } | undefined {
  for (const { template, rule, place } of forms) {
    const parts = template(statements);
    if (parts === undefined) continue;
    try {
      return { rule: rule(parts, page), place };
    } catch (error) {
      if (!(error instanceof UnknownPart)) throw error;
    }
  }
  return undefined;
}

/** Reads the fields of a page class: which part of the response each of them is. */
function pageOf(declaration: SyntaxNode): ReadPage {
  const fields = new Map<string, PageField>();
  const constructor = methodIn(declaration, "constructor");
  for (const statement of constructor === undefined ? [] : statementsOf(constructor)) {
    const assignment = nodeAt(statement, "expression");
    if (assignment?.type !== "AssignmentExpression") continue;
    const name = keyOf(nodeAt(assignment, "left"));
    const value = nodeAt(assignment, "right");
    if (name === undefined || value === undefined) continue;
    const place = placeOf(value);
    if (place !== undefined) fields.set(name, place);
  }
  const fieldOf = (node: SyntaxNode | undefined): PageField | undefined => {
    const path = node && pathOf(node);
    if (path === undefined || path[0] !== "this") return undefined;
    const [, first, ...others] = path;
    const field = fields.get(first!);
    if (field === undefined) return undefined;
    if (typeof field !== "string") return others.length === 0 ? field : undefined;
    return [field, ...others].filter((each) => each !== "").join(".");
  };
  const [returned] = statementsOf(methodIn(declaration, "getPaginatedItems") ?? declaration);
  const items = returned && nodesIn(returned).map((each) => fieldOf(bare(each)))
    .find((each) => typeof each === "string");
  const test = methodIn(declaration, "hasNextPage");
  const tested = test &&
    nodesIn(test).map((each) => fieldOf(each)).find((each) => each !== undefined);
  return {
    fields,
    fieldOf,
    items: typeof items === "string" ? items : itemsByType(declaration) ?? "",
    hasMore: typeof tested === "string" ? tested : undefined,
  };
}

/** Returns the place of a value: `body.data || []` is `data`, and `body || []` the whole body. */
function placeOf(value: SyntaxNode): PageField | undefined {
  for (const node of nodesIn(value)) {
    if (node.type === "CallExpression" && keyOf(nodeAt(node, "callee")) === "get") {
      const [name] = nodesAt(node, "arguments");
      const header = textOf(name);
      if (header !== undefined) return { header };
    }
    const path = pathOf(node);
    if (path?.[0] === "body") return path.slice(1).join(".");
  }
  return undefined;
}

/** Returns the names of a path such as `this.paging.next`; undefined for other code. */
function pathOf(node: SyntaxNode): string[] | undefined {
  const names: string[] = [];
  for (let at = bare(node);;) {
    if (at.type === "ThisExpression") return ["this", ...names];
    const name = nameOf(at);
    if (name !== undefined) return [name, ...names];
    const key = keyOf(at);
    const holder = nodeAt(at, "object");
    if (!at.type.endsWith("MemberExpression") || key === undefined || holder === undefined) {
      return undefined;
    }
    names.unshift(key);
    at = bare(holder);
  }
}

/** Returns the field whose type is a list of items. */
function itemsByType(declaration: SyntaxNode): string | undefined {
  const found = membersOf(declaration).find((each) => {
    const type = nodeAt(nodeAt(each, "typeAnnotation"), "typeAnnotation");
    return each.type === "ClassProperty" && nameOf(nodeAt(type, "typeName")) === "Array";
  });
  return keyOf(found);
}

/** Lists the parameters of the interface `…Params` of a page class. */
function parametersOf(source: ParsedSource, className: string): string[] {
  const found = source.body.map(declarationOf).find((each) =>
    each.type === "TSInterfaceDeclaration" && nameOf(nodeAt(each, "id")) === `${className}Params`
  );
  return nodesAt(nodeAt(found, "body"), "body").flatMap((each) =>
    isNode(each) ? keyOf(each) ?? [] : []
  );
}
