import type { Contract } from "../../api/contract.ts";

export type UserRole = Contract["POST /users"]["body"]["role"];

/** Roles of the appliance's own people, and of an account's, the most powerful first. */
export const STAFF_ROLES: readonly UserRole[] = ["OWNER", "OPERATIONS", "FINANCE", "SUPPORT"];
export const ACCOUNT_ROLES: readonly UserRole[] = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER", "ACCOUNT_READER"];
