/** Loaded when the first page about one account, its money or its prices is opened. */
export { Account } from "./account.tsx";
export { Accounts } from "./accounts.tsx";
export { Consumption } from "./consumption.tsx";
export { Prices } from "./prices.tsx";
export { Statement } from "./statement.tsx";
export { Money, Wallet } from "./wallet.tsx";
