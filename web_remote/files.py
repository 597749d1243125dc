"""Serves the files that pages load: compressed where the browser accepts it, and cached until they change."""

from __future__ import annotations

from flask import Blueprint, Request, Response, request
from flask.typing import ResponseReturnValue

from web_remote.assets import Assets


def make(assets: Assets) -> Blueprint:
    """Returns the address of the files."""
    files = Blueprint("files", __name__)

    @files.get("/static/<version>/<path:name>")
    def static(version: str, name: str) -> ResponseReturnValue:
        asset = assets.get(name)
        if asset is None:
            return Response(status=404)
        packed = unpacks(request)
        response = Response(asset.packed if packed else asset.plain, content_type=asset.kind)
        response.headers["Vary"] = "Accept-Encoding"
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        if version == assets.version:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    return files


def unpacks(request: Request) -> bool:
    """Returns whether a browser accepts compressed files."""
    return "gzip" in request.headers.get("Accept-Encoding", "")
