/** The errors in the comments of methods. */

/** Returns the class and the text of a tag such as `{NotFoundError} 404: There is none.` */
export function withoutBraces(
  content: string,
): { readonly className: string; readonly text: string } {
  const [, className = "APIError", text = content] = /^\{([^}]+)\}([^]*)$/.exec(content) ?? [];
  return { className, text: text.trimStart() };
}
