/** Whether CI is what the environment says: set, and not to an explicit no. */
export function isCi(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}
