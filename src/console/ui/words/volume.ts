/** The words of the picture of the traffic, in the reader's language. */
import en from "../../../i18n/en/console/volume.json" with { type: "json" };
import fr from "../../../i18n/fr/console/volume.json" with { type: "json" };
import type { VolumeWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const volume = localizeWords<VolumeWords>(en, fr);
