import { describe, expect, test } from "vitest";
import { optOutWord } from "../../src/accounts/opt-out-words.ts";

describe("a text opts out", () => {
  // Keeps: behaviour 4.40
  test.each([
    ["STOP", "STOP"],
    ["stop", "STOP"],
    ["  Stop.  ", "STOP"],
    ["«STOP»!!!", "STOP"],
    ["STOP,merci", "STOP"],
    ["stop 36180", "STOP"],
    ["Stop les pubs", "STOP"],
    ["ARRÊT", "ARRET"],
    ["arre\u0302t svp", "ARRET"],
    ["Arrêtez !", "ARRETEZ"],
    ["Désabonner", "DESABONNER"],
    ["désabonnement", "DESABONNEMENT"],
    ["Désinscrire moi svp", "DESINSCRIRE"],
    ["unsubscribe", "UNSUBSCRIBE"],
    ["opt-out", "OPTOUT"],
    ["Opt out please", "OPTOUT"],
    ["ＳＴＯＰ", "STOP"],
    ["ST\u200bOP", "STOP"],
    ["STOP 🙏🙏", "STOP"],
  ])("%s", (text, word) => {
    expect(optOutWord(text)).toBe(word);
  });

  test.each([
    "",
    "  ",
    "Bonjour",
    "Stop à la vente ambulante",
    "please STOP",
    "STOPPER",
    "unstop",
    "non",
    "1",
    "🛑",
  ])("but not with %s", (text) => {
    expect(optOutWord(text)).toBe(null);
  });
});
