/** The error for a repository that cannot be tried. */

/** The repository, its tools or its mock server is at fault. */
export class TrialError extends Error {
  override readonly name: string = "TrialError";
}
