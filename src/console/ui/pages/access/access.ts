/** Loaded when the first page about access is opened. */
export { Keys } from "./keys.tsx";
export { Security } from "./security.tsx";
export { Senders } from "./senders.tsx";
export { Smpp, SmppUser } from "./smpp.tsx";
export { Users } from "./users.tsx";
export { Webhook, Webhooks } from "./webhooks.tsx";
