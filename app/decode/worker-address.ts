import workerAddress from './decode-worker.ts?worker&url';

/** The URL of our decoder, for `openQrReader`. */
export const DECODER = workerAddress;
