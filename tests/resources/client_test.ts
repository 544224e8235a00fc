/** Checks clients with resources: options, raw methods, promises, errors, retries and copies. */
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { path } from "../../mod.ts";
import {
  APIConnectionError,
  type APIPromise,
  APIResource,
  APIUserAbortError,
  ConflictError,
  type RequestOptions,
  ResourceClient,
} from "../../src/resources/mod.ts";
import { fakeClock, TransportError } from "../../src/testing/mod.ts";
