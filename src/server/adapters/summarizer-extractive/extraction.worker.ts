import { parentPort, workerData } from 'node:worker_threads';
import { extractSummary } from './extract-summary.ts';

parentPort?.postMessage(extractSummary(workerData));
