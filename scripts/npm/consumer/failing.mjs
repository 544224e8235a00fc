/** A user's program with a mistake. It prints the stack trace. */
import { APIClient } from "@restwright/restwright";

try {
  new APIClient({ baseUrl: 7 });
} catch (error) {
  console.log(error.stack);
}
