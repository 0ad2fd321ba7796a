package sonde.client;

/** A source of research that the caller supplies: a text, or a file. */
public sealed interface ResearchDocument permits Document, FileDocument {}
