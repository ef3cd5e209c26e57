import { describe, expect, test } from "vitest";
import { optOutId, optOutWord } from "../../../src/domain/inbound/opt-out.ts";

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

describe("the id of a button", () => {
  test.each([
    ["STOP", "STOP"],
    ["stop_marketing", "STOP"],
    ["OPT_OUT", "OPTOUT"],
    ["unsubscribe:42", "UNSUBSCRIBE"],
    ["Désabonnement", "DESABONNEMENT"],
    ["cancel", "CANCEL"],
  ])("%s opts out", (id, word) => {
    expect(optOutId(id)).toBe(word);
  });

  test.each([
    "CANCEL_ORDER",
    "remove-item",
    "END_CHAT",
    "nonstop",
    "order_4521_stop",
    "stop_my_order_now",
    "",
  ])("%s does not", (id) => {
    expect(optOutId(id)).toBe(null);
  });
});
