import type { ClassDefaults } from "../../src/options/class_settings.ts";
import type { ConversionDefaults } from "../../src/call/formats/choose.ts";
import { APISession } from "../../src/client/session.ts";

class TestSession extends APISession {
  static override readonly libName: string = "test-sdk";
  static override readonly libVersion: string = "1.2.3";
}

/** Returns the static fields of a class and of the classes that it extends. */
function staticFields<T extends object>(type: T): T {
  const base: unknown = Object.getPrototypeOf(type);
  return { ...(base === Function.prototype ? {} : staticFields(base as object)), ...type };
}

/** The defaults of a session class that overrides none but its name and version. */
export const defaults: ClassDefaults = staticFields(TestSession);

/** The conversion defaults of a session that sets none. */
export const noConversion: ConversionDefaults = {
  box: undefined,
  boxAttrs: undefined,
  convJson: undefined,
};
