/** As much of Express as the service uses; its types are a package of their own. */
declare module 'express' {
  // biome-ignore lint/suspicious/noExplicitAny: the service reads what its middleware has put there
  type Any = any;
  type Handler = (...args: [Any, Any, Any, Any]) => unknown;
  interface App {
    use(handler: Handler): unknown;
    get(path: string, handler: Handler): unknown;
    post(path: string, handler: Handler): unknown;
    listen(port: number, host: string, listener?: () => void): import('node:http').Server;
  }
  const express: { (): App; json(): Handler };
  export default express;
}
