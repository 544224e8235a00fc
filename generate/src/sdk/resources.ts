/** The resources of a configuration, with their methods and models. */
import type { MethodShape, ResourceShape } from "./shape.ts";
import { childPointer } from "../read/pointers.ts";
import type { Casing } from "./casing.ts";
import type { Setting } from "../read/settings.ts";

/** The settings of a configuration that all resources share. */
export interface ResourceContext {
  readonly casing: Casing;
  /** False if all path parameters are in the object of parameters. */
  readonly hasPositional: boolean;
  /** False if there are no page classes. Then a method must state that its result is a page. */
  readonly hasPages: boolean;
}

/** The names by which a configuration selects this SDK. */
const LANGUAGES: readonly string[] = ["typescript", "node"];

/** A method and a path, such as `get /pets/{pet_id}`. */
const ENDPOINT = /^\s*(get|put|post|delete|options|head|patch|trace|query)\s+(\/[^\s\p{C}]*)\s*$/iu;

/** Reads `resources`. Those that other languages only have are left out. */
export function readResources(
  settings: Setting | undefined,
  context: ResourceContext,
): ResourceShape[] {
  const resources = resourcesIn(settings, context);
  const models = new Map<string, string>();
  const collect = (list: readonly ReadResource[], path: string): void => {
    for (const { key, schemas, children } of list) {
      for (const [name, pointer] of schemas) models.set(`${path}${key}.${name}`, pointer);
      collect(children, `${path}${key}.`);
    }
  };
  collect(resources, "");
  return resources.map((each) => shapeOf(each, models, context));
}

/** A resource before the aliases of its models have schemas. */
interface ReadResource extends Pick<ResourceShape, "description" | "deprecated" | "methods"> {
  readonly key: string;
  /** The pointers of models by their names in the configuration. */
  readonly schemas: ReadonlyMap<string, string>;
  /** The aliases of models, with the setting that names the other model. */
  readonly aliases: ReadonlyMap<string, Setting>;
  readonly children: readonly ReadResource[];
}

function resourcesIn(settings: Setting | undefined, context: ResourceContext): ReadResource[] {
  return (settings?.entries() ?? []).flatMap(([key, setting]) => {
    if (key !== "$client" && key !== "$shared") setting.ownName();
    if (isSkipped(setting)) return [];
    const schemas = new Map<string, string>();
    const aliases = new Map<string, Setting>();
    for (const [name, model] of setting.child("models")?.entries() ?? []) {
      readModel(name, model, schemas, aliases);
    }
    return [{
      ...{ key, schemas, aliases },
      methods: methodsIn(setting.child("methods"), context),
      children: resourcesIn(setting.child("subresources"), context),
      description: setting.child("description")?.text(),
      deprecated: deprecationOf(setting.child("deprecated")),
    }];
  });
}

function shapeOf(
  { key, methods, schemas, aliases, children, description, deprecated }: ReadResource,
  models: ReadonlyMap<string, string>,
  context: ResourceContext,
): ResourceShape {
  const { casing } = context;
  const own = new Map<string, string>();
  for (const [name, pointer] of schemas) own.set(casing.pascal(name), pointer);
  for (const [name, to] of aliases) {
    const pointer = models.get(to.text());
    if (pointer !== undefined) own.set(casing.pascal(name), pointer);
    else {to.problem(
        "name",
        `there is no model ${JSON.stringify(to.text().slice(0, 200))}`,
        "left out",
      );}
  }
  return {
    name: key.startsWith("$") ? key : casing.camel(key),
    methods,
    models: own,
    resources: children.map((each) => shapeOf(each, models, context)),
    description,
    deprecated,
  };
}

function readModel(
  name: string,
  setting: Setting,
  schemas: Map<string, string>,
  aliases: Map<string, Setting>,
): void {
  setting.ownName();
  if (setting.isObject) {
    if (isSkipped(setting)) return;
    if (setting.child("type")?.oneOf(["model", "alias"]) === "alias") {
      const to = setting.child("to");
      if (to === undefined) return setting.fail("an alias with `to`, the path of another model");
      aliases.set(name, to);
      return;
    }
  }
  const uri = setting.isObject ? setting.child("openapi_uri") : setting;
  if (uri === undefined) return setting.fail("a model with `openapi_uri`");
  const text = uri.text("the name of a schema, or a pointer such as #/components/schemas/Pet");
  if (/^#\/\P{C}*$/u.test(text)) schemas.set(name, text);
  else if (/^[^$#/\p{C}]+$/u.test(text)) {
    schemas.set(name, childPointer("#/components/schemas", text));
  } else uri.lose();
}

function methodsIn(settings: Setting | undefined, context: ResourceContext): MethodShape[] {
  const methods = new Map<string, MethodShape>();
  const aliases: { readonly name: string; readonly to: Setting; readonly deprecated?: string }[] =
    [];
  for (const [name, setting] of settings?.entries() ?? []) {
    setting.ownName();
    if (!setting.isObject) {
      const operation = operationOf(setting);
      methods.set(name, { name, operation, ...defaultsOf(context) });
      continue;
    }
    if (isSkipped(setting)) continue;
    const type = setting.child("type");
    switch (type?.oneOf(["http", "alias", "webhook_unwrap", "websocket"])) {
      case "alias": {
        const to = setting.child("to");
        if (to === undefined) return setting.fail("an alias with `to`, the name of another method");
        const deprecated = deprecationOf(setting.child("deprecated"));
        aliases.push({ name, to, ...deprecated === undefined ? {} : { deprecated } });
        break;
      }
      case "webhook_unwrap":
      case "websocket":
        setting.lose(type!.text());
        break;
      default:
        methods.set(name, methodOf(name, setting, context));
    }
  }
  for (const { name, to, deprecated } of aliases) {
    const target = methods.get(to.text());
    if (target === undefined) {
      const message = `there is no method ${
        JSON.stringify(to.text().slice(0, 200))
      } in this resource`;
      to.problem("name", message, "left out");
    } else methods.set(name, { ...target, name, isAlias: true, deprecated });
  }
  return [...methods.values()].map((each) => ({ ...each, name: context.casing.camel(each.name) }));
}

function methodOf(name: string, setting: Setting, context: ResourceContext): MethodShape {
  const endpoint = setting.child("endpoint");
  if (endpoint === undefined) return setting.fail("a method with an `endpoint`");
  const positional = setting.child("positional_params")?.items().map((each) => each.wireName());
  const unwrap = setting.child("unwrap_response");
  const streaming = setting.child("streaming");
  return {
    name,
    operation: operationOf(endpoint),
    ...defaultsOf(context),
    ...pageOf(setting.child("paginated")),
    ...positional === undefined ? {} : { positional },
    bodyParameter: setting.child("body_param_name")?.wireName(),
    unwrap: unwrap?.whole() === false ? false : unwrap?.wireName(),
    // Without a parameter, the response is always a stream, as the document states it.
    streamParameter: streaming?.child("param_discriminator")?.wireName(),
    deprecated: deprecationOf(setting.child("deprecated")),
  };
}

function defaultsOf(
  { hasPositional, hasPages }: ResourceContext,
): Pick<MethodShape, "page" | "positional"> {
  return {
    page: hasPages ? "auto" : undefined,
    ...hasPositional ? {} : { positional: [] },
  };
}

function operationOf(endpoint: Setting): string {
  const expected = "an endpoint such as get /pets/{pet_id}";
  const [, verb, path] = ENDPOINT.exec(endpoint.matching(ENDPOINT, expected))!;
  return `${verb!.toUpperCase()} ${path}`;
}

/** Returns the page class that a method states, if it states anything about pages. */
function pageOf(setting: Setting | undefined): Pick<MethodShape, "page"> {
  if (setting === undefined) return {};
  const value = setting.whole();
  if (typeof value === "boolean") return { page: value ? "auto" : undefined };
  if (typeof value === "string") return { page: setting.wireName() };
  return setting.fail("true, false or the name of a page class");
}

/** Returns the message of a deprecation: one text, or one for each language. */
function deprecationOf(setting: Setting | undefined): string | undefined {
  if (setting === undefined) return undefined;
  if (!setting.isObject) return setting.text("a message, or one for each language");
  const own = LANGUAGES.map((name) => setting.child(name)?.text());
  return own.find((each) => each !== undefined) ?? setting.child("default")?.text();
}

/** Reports if `skip` or `only` leaves a setting out of this SDK. */
function isSkipped(setting: Setting): boolean {
  if (!setting.isObject) return setting.fail("an object");
  const [skip, only] = [setting.child("skip"), setting.child("only")];
  const isListed = (list: Setting): boolean =>
    list.items().map((each) => each.text()).some((name) => LANGUAGES.includes(name));
  const isLeftOut = Array.isArray(skip?.value) ? isListed(skip) : skip?.flag() ?? false;
  const isOfOthers = only !== undefined && !isListed(only);
  if (!isLeftOut && !isOfOthers) return false;
  // Nothing in it counts as ignored: it is left out, as it says.
  setting.whole();
  return true;
}
