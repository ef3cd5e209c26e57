/** Every bug that the simulation must find: first those that were there once, brought back; then others that could be. */
import { BROUGHT_BACK } from "./brought-back.ts";
import { OF_BOOKS } from "./of-books.ts";
import { OF_FALLBACK } from "./of-fallback.ts";
import { OF_RESTORES } from "./of-restores.ts";
import { OF_ROUTES } from "./of-routes.ts";
import { OF_SENDING } from "./of-sending.ts";
import { OF_SMPP } from "./of-smpp.ts";
import { OF_TOLD } from "./of-told.ts";
import { OF_WHATSAPP } from "./of-whatsapp.ts";
import type { Plant } from "./plant.ts";

export const PLANTS: readonly Plant[] = [
  ...BROUGHT_BACK,
  ...OF_SENDING,
  ...OF_ROUTES,
  ...OF_BOOKS,
  ...OF_WHATSAPP,
  ...OF_FALLBACK,
  ...OF_TOLD,
  ...OF_SMPP,
  ...OF_RESTORES,
];
