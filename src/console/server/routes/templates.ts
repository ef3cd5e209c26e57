/** The page "Templates": what can be sent by the numbers of WhatsApp, and why the rest cannot; letting one go on that was stopped. */
import { WHATSAPP_OPERATIONS, whatsappTemplates } from "../../../admin/operations/whatsapp.ts";
import { told } from "./asked.ts";
import { operationRoutes } from "./doing.ts";
import { route } from "./route.ts";

export const TEMPLATE_ROUTES = {
  "GET /templates": route({ operation: "operators.read" }, (asked) =>
    told(asked, whatsappTemplates(asked.context)),
  ),
  ...operationRoutes({ "POST /templates/release": WHATSAPP_OPERATIONS["whatsapp release"] }),
};
