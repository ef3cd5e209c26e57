import type { Target } from "./target.ts";
import { bodies } from "./targets/bodies.ts";
import { control } from "./targets/control.ts";
import { csv } from "./targets/csv.ts";
import { door } from "./targets/door.ts";
import { drawn } from "./targets/drawn.ts";
import { json } from "./targets/json.ts";
import { numbers } from "./targets/numbers.ts";
import { receipts } from "./targets/receipts.ts";
import { requests } from "./targets/requests.ts";
import { signatures } from "./targets/signatures.ts";
import { smpp } from "./targets/smpp.ts";
import { submits } from "./targets/submits.ts";
import { templates } from "./targets/templates.ts";
import { texts } from "./targets/texts.ts";
import { times } from "./targets/times.ts";
import { toml } from "./targets/toml.ts";
import { urls } from "./targets/urls.ts";
import { words } from "./targets/words.ts";

/** Everything that takes what anybody sends. */
export const TARGETS: readonly Target[] = [
  smpp,
  submits,
  drawn,
  receipts,
  json,
  door,
  requests,
  texts,
  templates,
  bodies,
  numbers,
  times,
  urls,
  csv,
  signatures,
  toml,
  words,
  control,
];
