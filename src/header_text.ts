/** Reports if a text can be sent as a header value (RFC 9110 §5.5; fetch sends Latin-1). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
