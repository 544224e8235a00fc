/** Judges assignments to a client that would not change its requests. */
import { describedAs, UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";

/** The clients to which values are assigned. */
export interface AssignedClients<C extends object> {
  /** Reports if an object is a client itself, and not a prototype, a proxy or an object made of one. */
  has(object: object): object is C;
  /** Reports if the constructors of the classes of a client have run. */
  isBuilt(client: C): boolean;
  /** Writes a warning. */
  warn(client: C, message: string): void;
}

/** A name whose assignments are judged. */
export interface AssignedName<C extends object> {
  readonly name: string;
  /** The option that changes the requests. */
  readonly option: string;
  /** Reports if the requests of a client have a value, or if the value that they have is unknown. */
  isUsed(client: C, value: unknown): boolean;
}

/**
 * Makes assignments of other values to a name throw.
 *
 * A constructor cannot be told from code right after it, and a class may use a field of its own in any
 * way. Hence an assignment in the same task as the construction makes a field, and another value than
 * that of the requests is only a warning. A class that declares the field is not judged at all.
 *
 * @param target The client, or a prototype of clients
 * @param clients The clients
 * @param judged The name
 * @param current The value of the name. Default: none
 */
export function judgeAssignments<C extends object>(
  target: object,
  clients: AssignedClients<C>,
  judged: AssignedName<C>,
  current?: unknown,
): void {
  const { name, option, isUsed } = judged;
  Object.defineProperty(target, name, {
    get: () => current,
    set(this: object, value: unknown) {
      if (clients.has(this)) {
        const hasEffect = value === undefined || isUsed(this, value);
        if (clients.isBuilt(this)) {
          if (!hasEffect) throw noEffect(name, option);
          return judgeAssignments(this, clients, judged, value);
        }
        if (!hasEffect) clients.warn(this, noEffect(name, option).message);
      }
      const field = { value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this, name, field);
    },
    enumerable: current !== undefined,
    configurable: true,
  });
}

/** Returns the error for an assignment without effect. It does not show the value, which may be a secret. */
function noEffect(name: string, option: string): UnexpectedValueError {
  const expected = "left as it is, because an assignment does not change the requests";
  const hint = `Call withOptions({ ${option} }), which returns a client with another value`;
  return new UnexpectedValueError(name, expected, withHint(describedAs("another value"), hint));
}
