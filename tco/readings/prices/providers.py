"""What the providers of LiteLLM are called in the list of prices that readings are held to.

Only names of one and the same seller: a server that speaks the language of OpenAI's API
(``openai_like``, ``hosted_vllm``) is none of OpenAI's, and keeps its name, which no list has.
Source: https://docs.litellm.ai/docs/providers and the providers of genai-prices.
"""

from __future__ import annotations

import re

PROVIDERS = {
    "anthropic_text": "anthropic",
    "azure_ai": "azure",
    "azure_text": "azure",
    "bedrock": "aws",
    "bedrock_converse": "aws",
    "cohere_chat": "cohere",
    "fireworks_ai": "fireworks",
    "gemini": "google",
    "moonshot": "moonshotai",
    "text-completion-openai": "openai",
    "together_ai": "together",
    "vertex_ai": "google",
    "vertex_ai_beta": "google",
    "voyage": "voyageai",
    "xai": "x-ai",
}
"""The names that the list spells in another way; all others are the same there, or not there."""

_VERTEX = "vertex_ai-"
_HUGGING_FACE = "huggingface"
_OF_BEDROCK = re.compile(
    r"(?:(?:us|us-gov|eu|apac|au|ca|jp|global)\.)?"
    r"(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|moonshotai|openai|qwen|writer|zai)\.[a-z]"
)
_OF_THE_MAKER = ("accounts/fireworks/", "@cf/")


def on_list(provider: str) -> str:
    """The name that the list has for a provider of LiteLLM, or the same name.

    >>> on_list("together_ai"), on_list("vertex_ai-llama_models"), on_list("wandb")
    ('together', 'google', 'wandb')
    """
    name = provider.strip().casefold()
    return "google" if name.startswith(_VERTEX) else PROVIDERS.get(name, name)


def sold_by(provider: str, model: str) -> tuple[str | None, str]:
    """Who sells a model, as the list names them, and the model without its provider before it.

    ``provider`` may be empty: then what stands before the first ``/`` is the provider, whether the
    list knows it or not. None where neither tells.

    >>> sold_by("", "wandb/deepseek-ai/DeepSeek-R1-0528")
    ('wandb', 'deepseek-ai/DeepSeek-R1-0528')
    >>> sold_by("huggingface", "huggingface/together/deepseek-ai/DeepSeek-R1")
    ('huggingface_together', 'deepseek-ai/DeepSeek-R1')
    >>> sold_by("", "us.anthropic.claude-sonnet-4-6-v1:0"), sold_by("", "gpt-4o")
    (('aws', 'us.anthropic.claude-sonnet-4-6-v1:0'), (None, 'gpt-4o'))
    """
    own = model
    if provider:
        own = model.removeprefix(f"{provider}/")
    elif _OF_BEDROCK.match(model):
        provider = "bedrock"
    elif "/" in model and not model.startswith(_OF_THE_MAKER):
        provider, _, own = model.partition("/")
    # Hugging Face only passes on to one of many, each with its own price
    if provider.casefold() == _HUGGING_FACE and own.count("/") > 1:
        through, _, own = own.partition("/")
        provider = f"{_HUGGING_FACE}_{through}"
    return on_list(provider) or None, own
