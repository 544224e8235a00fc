// A CommonJS user's program: `require` of each entry point, which Node has for ES modules.

import whole = require("@restwright/restwright");
import auth = require("@restwright/restwright/auth");
import cookies = require("@restwright/restwright/cookies");
import digest = require("@restwright/restwright/digest");
import errors = require("@restwright/restwright/errors");
import files = require("@restwright/restwright/files");
import middleware = require("@restwright/restwright/middleware");
import models = require("@restwright/restwright/models");
import oauth = require("@restwright/restwright/oauth");
import paging = require("@restwright/restwright/paging");
import polling = require("@restwright/restwright/polling");
import resources = require("@restwright/restwright/resources");
import stores = require("@restwright/restwright/stores");
import streams = require("@restwright/restwright/streams");
import styles = require("@restwright/restwright/styles");
import testing = require("@restwright/restwright/testing");

const made: object[] = [
  new auth.BearerAuth("t-456"),
  new whole.APIClient({ baseUrl: "https://library.example.com" }),
  new cookies.CookieJar(),
  new digest.DigestAuth("ada", "countess"),
  new errors.NotFoundError(new Response(null, { status: 404 })),
  errors.errorsBy("error.code", { not_found: errors.NotFoundError }),
  files.reprDigest(),
  middleware.etagCache(),
  models.element(models.string),
  new oauth.OAuthError("no token"),
  paging.linkHeader(),
  polling.every(1),
  new whole.APISession({ url: "https://library.example.com" }),
  new resources.ResourceClient({ baseURL: "https://api.example.com" }),
  stores.keyedStore(new Map(), "ada"),
  testing.mockTransport({}),
  streams.sse(),
  styles.form([1, 2]),
];
// There is only one build, so `import` and `require` load the same classes.
import("@restwright/restwright").then((imported) => {
  const same = imported.APISession === whole.APISession;
  console.log(made.length, same ? "required" : "not the same classes");
});
