/** The part of pino that the service uses. Objects first, so that redaction sees every field. */
export interface ServiceLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
