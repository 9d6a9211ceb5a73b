/** The deep suite `node-versions` names the Node that is to run the tests: what passed in another one would say nothing. */
const asked = process.env.WHITELINE_NODE_VERSION;
if (asked !== undefined && process.version !== `v${asked}`)
  throw new Error(`Node ${asked} was to run these tests, and ${process.version} runs them`);
