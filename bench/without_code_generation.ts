// arktype reads its settings when it is loaded, so they must be set in a module that is loaded first.

import { configure } from "arktype/config";
import { z } from "zod";

configure({ jitless: true });
z.config({ jitless: true });
