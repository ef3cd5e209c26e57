import { isSupportedCountry } from "libphonenumber-js/max";

/** Whether a text is a region that telephone numbers are known for: ISO 3166-1 alpha-2, such as "BF". */
export function isRegion(text: string): boolean {
  return isSupportedCountry(text);
}
