/** Puts two shapes of one SDK together: what its configuration says wins over what its sources say. */
import type { ClientOptionShape, MethodShape, ResourceShape, SdkShape } from "./shape.ts";

/** Returns the shape of a configuration, completed by that of the sources. Names are those of the sources. */
export function mergedShape(configuration: SdkShape, sources: SdkShape): SdkShape {
  return {
    ...sources,
    ...stated(configuration),
    className: configuration.className ?? sources.className,
    resources: mergedResources(configuration.resources, sources.resources),
    pages: new Map([...configuration.pages, ...sources.pages]),
    options: mergedOptions(configuration.options, sources.options),
    environments: configuration.environments.size > 0
      ? configuration.environments
      : sources.environments,
    // One environment of the configuration is the base URL.
    baseUrl: configuration.environments.size > 0 ? undefined : sources.baseUrl,
    headers: new Map([...sources.headers, ...configuration.headers]),
  };
}

/** Returns an object without its undefined properties. */
function stated<Value extends object>(value: Value): Partial<Value> {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries) as Partial<Value>;
}

function mergedOptions(
  configured: readonly ClientOptionShape[],
  read: readonly ClientOptionShape[],
): ClientOptionShape[] {
  const own = configured.map((each): ClientOptionShape => {
    const found = read.find(({ name }) => isSameName(name, each.name));
    return found === undefined ? each : { ...found, ...stated(each), name: found.name };
  });
  const names = own.map(({ name }) => name);
  return [...own, ...read.filter(({ name }) => !names.includes(name))];
}

function mergedResources(
  configured: readonly ResourceShape[],
  read: readonly ResourceShape[],
): ResourceShape[] {
  const own = configured.map((each): ResourceShape => {
    const found = read.find(({ name }) => isSameName(name, each.name));
    if (found === undefined) return each;
    return {
      ...{ ...found, ...stated(each), name: found.name },
      methods: mergedMethods(each.methods, found.methods),
      resources: mergedResources(each.resources, found.resources),
      models: new Map([...found.models, ...each.models]),
    };
  });
  const names = own.map(({ name }) => name);
  return [...own, ...read.filter(({ name }) => !names.includes(name))];
}

function mergedMethods(
  configured: readonly MethodShape[],
  read: readonly MethodShape[],
): MethodShape[] {
  const own = configured.map((each): MethodShape => {
    const found = read.find(({ name }) => isSameName(name, each.name));
    if (found === undefined) return each;
    // The names of the path belong to the operation of the sources.
    const { operation, positional, page } = found;
    return {
      ...{ ...found, ...stated(each), name: found.name },
      ...isSameOperation(operation, each.operation) ? { operation, positional, page } : {},
    };
  });
  const names = own.map(({ name }) => name);
  return [...own, ...read.filter(({ name }) => !names.includes(name))];
}

/** Reports if two names differ in their case only: `routeIdsForAgency` and `routeIDsForAgency`. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isSameOperation(one: string, other: string): boolean {
  const key = (operation: string): string => operation.replace(/\{[^{}]*\}/g, "{}");
  return key(one) === key(other);
}
