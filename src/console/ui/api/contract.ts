/** What pages request, and what they are answered. */

import type { LiveView } from "../../server/live/live-view.ts";
import type { RoutesContract } from "../../server/routes/contract.ts";
import type { SignInContract } from "../../server/sign-in-contract.ts";

/** One place that what was typed into the search box may mean. */
export type SearchHit = RoutesContract["GET /search"]["answer"]["hits"][number];

/** What a route answers. */
export type Answer<Name extends keyof Contract> = Contract[Name]["answer"];

/** Method and path below `/console/api`, with what each takes and answers. */
export type Contract = SignInContract & RoutesContract & { "GET /start": { readonly answer: LiveView } };
