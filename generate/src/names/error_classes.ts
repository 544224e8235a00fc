/** The names of the error classes of the toolkit, by their statuses. */

/** The classes of the toolkit by their status. */
export const baseClasses: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "UnauthorizedError",
  403: "ForbiddenError",
  404: "NotFoundError",
  405: "InvalidMethodError",
  406: "NotAcceptableError",
  407: "ProxyAuthenticationError",
  408: "RequestTimeoutError",
  409: "RequestConflictError",
  410: "NoLongerExistsError",
  411: "LengthRequiredError",
  412: "PreconditionFailedError",
  413: "PayloadTooLargeError",
  414: "URITooLongError",
  415: "UnsupportedMediaTypeError",
  416: "RangeNotSatisfiableError",
  417: "ExpectationFailedError",
  418: "TeapotResponseError",
  420: "TooManyRequestsError",
  421: "MisdirectRequestError",
  422: "InvalidContentError",
  425: "TooEarlyError",
  426: "UpgradeRequiredError",
  428: "PreconditionRequiredError",
  429: "TooManyRequestsError",
  431: "RequestHeaderFieldsTooLargeError",
  451: "UnavailableForLegalReasonsError",
  500: "ServerError",
  501: "MethodNotImplementedError",
  502: "BadGatewayError",
  503: "ServiceUnavailableError",
  504: "GatewayTimeoutError",
  510: "NotExtendedError",
  511: "NetworkAuthenticationRequiredError",
};

/**
 * The names of the other statuses in the HTTP Status Code Registry of IANA that are errors. The toolkit
 * has no classes for them.
 */
export const otherStatuses: Readonly<Record<number, string>> = {
  402: "Payment Required",
  423: "Locked",
  424: "Failed Dependency",
  505: "HTTP Version Not Supported",
  506: "Variant Also Negotiates",
  507: "Insufficient Storage",
  508: "Loop Detected",
};

/** The classes of errors by status, as clients with resources throw them. */
const errorClasses: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  409: "ConflictError",
  422: "UnprocessableEntityError",
  429: "RateLimitError",
};

/** Returns the class of errors with a status. */
export function errorClassOf(status: number): string {
  return errorClasses[status] ?? (status >= 500 ? "InternalServerError" : "APIError");
}
