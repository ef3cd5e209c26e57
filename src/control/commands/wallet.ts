import { readAmount } from "../../operations/typed-values.ts";
import { walletAdjust, walletShow, walletTopUp } from "../../operations/wallets.ts";
import { ACCOUNT, type AdminCommand, needed } from "../command.ts";

export const WALLET_COMMANDS: readonly AdminCommand[] = [
  {
    name: "wallet topup",
    positionals: [ACCOUNT, { name: "AMOUNT" }],
    flags: [{ name: "reference", value: "TEXT", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletTopUp(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reference"));
    },
  },
  {
    name: "wallet adjust",
    positionals: [ACCOUNT, { name: "AMOUNT" }],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletAdjust(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reason"));
    },
  },
  {
    name: "wallet show",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => walletShow(context, needed(args, "ACCOUNT")),
  },
];
