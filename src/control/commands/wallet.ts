import { readAmount } from "../../operations/typed-values.ts";
import { walletAdjust, walletShow, walletTopUp } from "../../operations/wallets.ts";
import { ACCOUNT, type AdminCommand, needed } from "../command.ts";

export const WALLET_COMMANDS: readonly AdminCommand[] = [
  {
    name: "wallet topup",
    summary: "pay money into a wallet; a reference counts once",
    positionals: [ACCOUNT, { name: "AMOUNT", help: "whole XOF" }],
    flags: [{ name: "reference", value: "TEXT", help: "the payment's own reference", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletTopUp(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reference"));
    },
  },
  {
    name: "wallet adjust",
    summary: "correct a wallet by hand, up or down",
    positionals: [ACCOUNT, { name: "AMOUNT", help: "whole XOF, with a sign: -500" }],
    flags: [{ name: "reason", value: "TEXT", help: "why, for the statement", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletAdjust(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reason"));
    },
  },
  {
    name: "wallet show",
    does: "reads",
    summary: "show what an account has and may spend",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => walletShow(context, needed(args, "ACCOUNT")),
  },
];
