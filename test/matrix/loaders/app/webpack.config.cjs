module.exports = {
  mode: 'production',
  target: 'node',
  entry: './bundled.mjs',
  output: { path: __dirname, filename: 'webpacked.cjs' },
};
