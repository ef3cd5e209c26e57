/** Styles that the bundle takes in. */
declare module "*.css";
