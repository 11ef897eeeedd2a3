import '../pipeline/step.js';
