/** The names of the toolkit that files of SDKs import. */

/** Names that no type of an SDK has, because its files may import them from the toolkit. */
export const importedNames: readonly string[] =
  ("APIClient APIEndpoint APIError APIPromise AnyClient ApiKeyAuth Auth AuthInput " +
    "AuthSchemes BadGatewayError BadRequestError BasicAuth BearerAuth CallOptions " +
    "ClientCredentialsAuth ClientOptions Content ContextKey DigestAuth ErrorMap EventOf " +
    "ExpectationFailedError FileInput ForbiddenError GatewayTimeoutError InvalidContentError " +
    "InvalidMethodError ItemStream LengthRequiredError ListOptions MethodNotImplementedError " +
    "MisdirectRequestError NetworkAuthenticationRequiredError NoLongerExistsError " +
    "NotAcceptableError NotExtendedError NotFoundError OptionChanges PagePromise Params " +
    "PayloadTooLargeError PreconditionFailedError PreconditionRequiredError " +
    "ProxyAuthenticationError RangeNotSatisfiableError RefreshTokenAuth " +
    "RequestConflictError RequestHeaderFieldsTooLargeError RequestTimeoutError RestwrightError " +
    "ResultFormat ServerError ServerSentEvent ServerUrls ServiceUnavailableError StreamPromise " +
    "TeapotResponseError TooEarlyError TooManyRequestsError URITooLongError UnauthorizedError " +
    "UnavailableForLegalReasonsError UnsupportedMediaTypeError UpgradeRequiredError").split(" ");
