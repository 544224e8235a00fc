/** Plans the methods of endpoints. */

import type {
  Comment,
  Declaration,
  ErrorClass,
  Method,
  StatusError,
  Type,
} from "../../model/mod.ts";
import { methodPrefix } from "../../names/type_names.ts";
import { commentOf } from "./comments.ts";
import { declared, declareParams, declareStream, withItems, withType } from "./declared_types.ts";
import {
  type Planned,
  type PlannedMethod,
  requestOf,
  samplesOf,
  type SdkParts,
} from "./operations.ts";
import { signatureOf, type Unsigned } from "./signatures.ts";
import type { TestedMethod } from "../tests/mod.ts";
import type { Source } from "../../read/source.ts";

const noText: Comment = { text: "", tags: [] };

/** The parts of an SDK that the methods of endpoints depend on. */
export interface EndpointParts extends SdkParts {
  /** The classes of errors of each operation. */
  readonly errors: ReadonlyMap<Planned, readonly StatusError[]>;
  /** The client's error classes by status. */
  readonly ofClient: ReadonlyMap<number, string>;
  readonly errorClasses: ReadonlyMap<string, ErrorClass>;
  /** Returns the name of a method by its `operationId`, such as `pets.list`. */
  readonly methodOf: (operationId: string) => string | undefined;
}

/** Plans the method of an endpoint. */
export function planEndpointMethod(
  source: Source,
  planned: Planned,
  parts: EndpointParts,
): PlannedMethod {
  const { typeNames, errors, ofClient, methodOf } = parts;
  const { name, others, body, result, stream } = planned;
  const types: Declaration[] = [];
  const prefix = methodPrefix(name.field, name.method);
  const classesOf = errors.get(planned) ?? [];
  const declare = (suffix: string, type: Type) =>
    declared(types, typeNames, `${prefix} ${suffix}`, type, noText);
  // The conversion of JSON states a type, which a name keeps short.
  const parameters = others.map((each) =>
    each.conversion === undefined ? each : withType(each, declare(each.name, each.type))
  );
  const pages = planned.pages && {
    ...planned.pages,
    item: declare("Item", planned.pages.item),
  };
  const listed = pages === undefined ? result.type : withItems(result.type, pages);
  const unsigned: Unsigned = {
    name: name.method,
    ...requestOf(source, planned, parts),
    comment: commentOf(planned, classesOf, ofClient, methodOf),
    body: body && withType(body, declare("Body", body.type)),
    parameters,
    params: declareParams(types, typeNames, prefix, parameters),
    result: withType(result, declare("Result", listed)),
    pages,
    wholeList: planned.wholeList,
    stream: stream && declareStream(stream, (suffix, type) => {
      if (suffix !== "Events") return declare(suffix, type);
      const events = typeNames.take(`${prefix} ${suffix}`);
      types.push({ name: events, type, comment: noText });
      return { kind: "reference", name: events };
    }),
    errors: classesOf.filter((error) => ofClient.get(error.status) !== error.className),
  };
  const method: Method = {
    ...unsigned,
    signature: signatureOf("classes", unsigned, {
      path: unsigned.pathParameters,
      body: unsigned.body,
    }),
  };
  return { method: { ...method, ...samplesOf(testedOf(planned, method, parts), parts) }, types };
}

/** Returns a method with all that its samples depend on. */
function testedOf(
  planned: Planned,
  { path, fixedQuery, pathParameters, params, server }: Method,
  { errors, errorClasses }: EndpointParts,
): TestedMethod {
  const { operation, body, result, pages, stream, security } = planned;
  return {
    ...{ operation, body, result, pages, stream, security },
    ...{ path, fixedQuery, pathParameters, server },
    // Samples are made of types that are not declared for this method alone.
    parameters: planned.others,
    params: params && {
      ...params,
      fields: params.fields.map((each, index) => ({ ...each, parameter: planned.others[index]! })),
    },
    errors: (errors.get(planned) ?? []).map((each) => ({
      ...each,
      data: errorClasses.get(each.className)!.data,
    })),
  };
}
