/** Reports if a value of the CI variable means CI: it is set, and not to "", "0" or "false". */
export function isCi(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}
