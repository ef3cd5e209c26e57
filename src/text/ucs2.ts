/**
 * A text as UTF-16, high octet first: what data_coding 8 means in practice (3GPP TS 23.038 section 6.2.3 says UCS2).
 * Two octets a UTF-16 code unit, always: a lone surrogate goes as it is, and `normalizeText` leaves none in what is sent.
 */
export function encodeUcs2(text: string): Uint8Array {
  const octets = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    octets[index * 2] = unit >> 8;
    octets[index * 2 + 1] = unit & 0xff;
  }
  return octets;
}

/**
 * The text of UTF-16 octets, high octet first; any octets give a text. An odd last octet is left out and a lone
 * surrogate reads U+FFFD, so that what comes from a handset can be stored as UTF-8.
 */
export function decodeUcs2(octets: Uint8Array): string {
  let text = "";
  for (let index = 0; index + 1 < octets.length; index += 2) {
    text += String.fromCharCode(((octets[index] ?? 0) << 8) | (octets[index + 1] ?? 0));
  }
  return text.toWellFormed();
}
